// What a move feels like: a buzz, a sound, squares in the air. All off where the reader wants it calm or quiet.
import { calm, preference } from "../lib/prefs.js";

let audio;

/**
 * A buzz, where the device can and the reader has touched the page: before that, browsers refuse it.
 * @param {number | number[]} pattern milliseconds
 */
export function buzz(pattern) {
  if ("vibrate" in navigator && navigator.userActivation?.hasBeenActive && !calm()) navigator.vibrate(pattern);
}

/**
 * The clack of dice: a short burst of filtered noise for each.
 * @param {number} count
 */
export function clack(count) {
  if (preference("sound") !== "on") return;
  audio ??= new AudioContext();
  for (let die = 0; die < count; die++) {
    const noise = audio.createBufferSource();
    const buffer = audio.createBuffer(1, audio.sampleRate * 0.05, audio.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let s = 0; s < samples.length; s++) samples[s] = (Math.random() * 2 - 1) * (1 - s / samples.length) ** 3;
    const filter = audio.createBiquadFilter();
    const gain = audio.createGain();
    filter.type = "bandpass";
    filter.frequency.value = 900 + Math.random() * 900;
    gain.gain.value = 0.35;
    noise.buffer = buffer;
    noise.connect(filter).connect(gain).connect(audio.destination);
    noise.start(audio.currentTime + die * 0.07 + Math.random() * 0.03);
  }
}

/** Two rising notes: it is your turn. */
export function chime() {
  if (preference("sound") !== "on") return;
  audio ??= new AudioContext();
  [523, 784].forEach((pitch, i) => {
    const note = audio.createOscillator();
    const gain = audio.createGain();
    const start = audio.currentTime + i * 0.14;
    note.frequency.value = pitch;
    gain.gain.setValueAtTime(0.15, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    note.connect(gain).connect(audio.destination);
    note.start(start);
    note.stop(start + 0.3);
  });
}

/**
 * Squares in the air (circles are pips), from the right end of an element.
 * @param {Element} from
 * @param {number} [count]
 */
export function confetti(from, count = 30) {
  if (calm()) return;
  const { left, top, width, height } = from.getBoundingClientRect();
  for (let i = 0; i < count; i++) {
    const square = document.createElement("i");
    const angle = Math.random() * 2 * Math.PI;
    const speed = 40 + Math.random() * 110;
    square.className = "confetti";
    square.dataset.colour = i % 3;
    square.style.left = `${left + width * 0.8}px`;
    square.style.top = `${top + height / 2}px`;
    document.body.append(square);
    const end = `${Math.cos(angle) * speed}px ${Math.sin(angle) * speed + 60}px`;
    const flight = [
      { translate: "0 0", opacity: 1 },
      { translate: end, rotate: "1turn", opacity: 0 },
    ];
    square.animate(flight, { duration: 700, easing: "cubic-bezier(.2, .6, .4, 1)" }).onfinish = () => square.remove();
  }
}

/**
 * Count a number up to its new value.
 * @param {HTMLElement} element
 * @param {number} from
 * @param {number} to
 */
export function countUp(element, from, to) {
  if (calm() || from === to) return;
  const start = performance.now();
  const step = (now) => {
    const share = Math.min(1, (now - start) / 400);
    element.textContent = Math.round(from + (to - from) * share);
    if (share < 1 && element.isConnected) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
