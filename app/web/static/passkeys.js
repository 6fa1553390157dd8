// Asks the browser for a passkey, with the form's data-options, and sends the result with the form.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const withBytes = (keys) => (keys ?? []).map((key) => ({ ...key, id: bytes(key.id) }));

async function made(options) {
  const given = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: withBytes(options.excludeCredentials),
    },
  });
  return [given, { attestationObject: given.response.attestationObject }];
}

async function shown(options) {
  const given = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: withBytes(options.allowCredentials),
    },
  });
  const { authenticatorData, signature, userHandle } = given.response;
  return [given, { authenticatorData, signature, ...(userHandle ? { userHandle } : {}) }];
}

async function answer(form) {
  const options = JSON.parse(form.dataset.options);
  const [given, response] = await (form.dataset.passkey === "create" ? made(options) : shown(options));
  const fields = { clientDataJSON: given.response.clientDataJSON, ...response };
  return JSON.stringify({
    id: given.id,
    rawId: text(given.rawId),
    type: given.type,
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(fields).map(([name, buffer]) => [name, text(buffer)])),
  });
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const button = form.querySelector("button");
  const problem = form.querySelector("[data-problem]");
  button.hidden = !window.PublicKeyCredential;
  problem.hidden = Boolean(window.PublicKeyCredential);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      form.elements.credential.value = await answer(form);
      form.submit(); // It fires no further submit event, so this is the last step.
    } catch {
      problem.hidden = false; // Cancelled, timed out, or no passkey: the browser does not tell which.
      button.disabled = false;
    }
  });
}
