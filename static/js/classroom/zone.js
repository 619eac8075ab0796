// A new class reads the clock of its teacher's browser, until the teacher says otherwise.
import { $ } from "../lib/dom.js";

const field = $('select[name="time_zone"]');
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (field && !field.dataset.chosen && [...field.options].some((option) => option.value === here)) field.value = here;
