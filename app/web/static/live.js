// Keeps the page live: by a stream of events, or by asking again where there is no stream to be had.

const POLL_MILLISECONDS = 2000;
const STREAM_AGAIN_MILLISECONDS = 30000;
const LEAVING_MILLISECONDS = 10000; // A page that was left is gone long before; one that only gave a file stays.
const QUIET_MILLISECONDS = 1200; // A stream that is back within a second was never worth a word.

/**
 * Call `show(sections)` for what changes, `away(true)` while the server cannot be reached, and `ended()` once when there
 * is nothing more to be seen.
 */
export function follow({ events, snapshot, show, away, ended = () => {}, pollMilliseconds = POLL_MILLISECONDS }) {
  let source = null;
  let polling = 0;
  let retry = 0;
  let missing = 0;
  let isLeaving = false;

  const reached = () => {
    clearTimeout(missing);
    missing = 0;
    away(false);
  };
  const missed = () => {
    missing ||= setTimeout(() => away(true), QUIET_MILLISECONDS);
  };

  const poll = async () => {
    const mine = polling;
    try {
      const response = await fetch(snapshot, { headers: { Accept: "application/json" } });
      if (response.redirected || [401, 403, 404].includes(response.status)) return end(); // Logged out, or it is gone.
      if (!response.ok) throw new Error(`status ${response.status}`);
      const sections = await response.json();
      if (mine === polling) show(sections);
      reached();
    } catch {
      missed();
    }
    if (mine === polling && polling) polling = setTimeout(poll, pollMilliseconds);
  };
  const stopPolling = () => {
    clearTimeout(polling);
    polling = 0;
  };

  const close = () => {
    source?.close();
    source = null;
    clearTimeout(retry);
    stopPolling();
  };
  const end = () => {
    close();
    // Whoever logs out ends the stream with that very click: its own answer is on the way, and says so.
    setTimeout(ended, isLeaving ? LEAVING_MILLISECONDS : 0);
  };
  const open = () => {
    close();
    source = new EventSource(events);
    source.addEventListener("open", () => {
      stopPolling();
      reached();
    });
    source.addEventListener("snapshot", (event) => show(JSON.parse(event.data)));
    source.addEventListener("ended", end);
    source.addEventListener("error", () => {
      missed();
      if (source?.readyState !== EventSource.CLOSED) return; // The browser is trying again by itself.
      // The server said no: all its streams are taken, or a proxy answered in its place.
      retry = setTimeout(open, STREAM_AGAIN_MILLISECONDS);
      if (!polling) polling = setTimeout(poll, 0);
    });
  };

  // A page that nobody looks at gives its stream back.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("beforeunload", () => (isLeaving = true));
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("online", open);
  if (!document.hidden) open();
}
