// Keeps the page live: by an event stream, or by polling if no stream is free.

const POLL_MILLISECONDS = 2000;
const STREAM_AGAIN_MILLISECONDS = 30000;
const LEAVING_MILLISECONDS = 10000; // A page being left is gone long before; one that only started a download stays.
const QUIET_MILLISECONDS = 1200; // A stream that is back within a second needs no notice.

/**
 * Call `show(sections)` with changed sections, `away(true)` while the server cannot be reached, and `ended()` once when
 * no more events will follow.
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
      if (response.redirected || [401, 403, 404].includes(response.status)) return end(); // Logged out, or the subject is gone.
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
    // Logging out ends the stream too; the response to that click is on its way and says so.
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
      if (source?.readyState !== EventSource.CLOSED) return; // The browser retries by itself.
      // The server refused: all streams are taken, or a proxy answered in its place.
      retry = setTimeout(open, STREAM_AGAIN_MILLISECONDS);
      if (!polling) polling = setTimeout(poll, 0);
    });
  };

  // A hidden page releases its stream.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("beforeunload", () => (isLeaving = true));
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("online", open);
  if (!document.hidden) open();
}
