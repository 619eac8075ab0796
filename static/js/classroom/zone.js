// A new class reads the clock of its teacher's browser, until the teacher says otherwise.
import { $ } from "../lib/dom.js";

const field = $('input[name="time_zone"]');
if (field && !field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
