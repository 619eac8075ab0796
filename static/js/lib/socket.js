// A socket that comes back: the one way a page hears from the server.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;
const refused = (code) => code >= 4400 && code < 4500;
const waitAfter = (failures) => {
  // Doubling, with some chance in it: a restarted server is not met by everybody at the same moment.
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) * (0.75 + Math.random() / 2);
};

/**
 * Open a socket and keep it open until the server refuses it or `path` gives nothing: a lost line is made again with
 * growing patience, at once when the network or the reader is back.
 *
 * @param {() => string | undefined} path where to, asked at every attempt; nothing: not now
 * @param {object} handlers
 * @param {(message: object) => void} handlers.hear a message from the server
 * @param {(ok: boolean) => void} [handlers.line] the line is there, or lost
 * @param {() => void} [handlers.opened]
 * @param {() => void} [handlers.back] the network is back after it was gone
 * @returns {{connect: () => void, send: (text: string) => void, isUp: () => boolean}}
 */
export function liveSocket(path, { hear, line = () => {}, opened = () => {}, back = () => {} }) {
  let socket;
  let failures = 0;
  let waiting;

  function connect() {
    clearTimeout(waiting);
    const address = path();
    if (!address || (socket && socket.readyState <= WebSocket.OPEN)) return;
    socket = new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${address}`);
    socket.addEventListener("open", opened);
    socket.addEventListener("message", (event) => {
      failures = 0;
      line(true);
      hear(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (refused(event.code) || !path()) return;
      line(false);
      waiting = setTimeout(connect, waitAfter(failures));
      failures += 1;
    });
  }

  window.addEventListener("online", () => {
    failures = 0;
    connect();
    back();
  });
  window.addEventListener("offline", () => {
    if (path()) line(false);
    socket?.close();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) connect();
  });

  connect();
  return {
    connect,
    send(text) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(text);
    },
    isUp: () => socket?.readyState <= WebSocket.OPEN,
  };
}
