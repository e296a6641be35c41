/** Checks the signature of a pasted delivery with the module that receivers use. */
import { h } from './elements.js';

/** @type {() => Promise<typeof import('../../clients/verify-webhook.ts')>} the file that receivers copy */
const loadVerifier = () => import(new URL('verify-webhook.js', import.meta.url).href);

/** Seconds: the default tolerance of the verifier. */
const tolerance = 300;

/** The secret of the documentation's test vector. */
const exampleSecret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

/** @param {HTMLElement} section @param {() => any} lastArtwork returns the last artwork of this page, or null */
export function mountWebhook(section, lastArtwork) {
  const body = h('textarea', { id: 'event-body', rows: 4, spellcheck: 'false' });
  const headers = h('textarea', {
    ...{ id: 'event-headers', rows: 3, spellcheck: 'false' },
    placeholder: 'Atelier-Timestamp: 1767225600\nAtelier-Signature: 9c72…',
  });
  const secret = h('input', { id: 'event-secret', type: 'password', autocomplete: 'off', placeholder: 'whsec_…' });
  const verdict = h('p', { role: 'status', class: 'verdict' });
  const labelled = (/** @type {any} */ input, /** @type {string} */ name) =>
    h('div', { class: 'field' }, h('label', { for: input.id, class: 'name' }, name), input);

  /** Fills in an event with a signature that this page makes. */
  async function example() {
    const event = eventOf(lastArtwork());
    secret.value ||= exampleSecret;
    body.value = JSON.stringify(event);
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = await sign(`${timestamp}.${body.value}`, secret.value);
    headers.value = `Atelier-Timestamp: ${timestamp}\nAtelier-Signature: ${signature}`;
    await check();
  }
  async function check() {
    const { verifyWebhook } = await loadVerifier();
    const given = readHeaders(headers.value);
    try {
      // A pasted delivery may be old: report its age instead of rejecting it.
      const event = /** @type {any} */ (
        await verifyWebhook(body.value, given, secret.value, { toleranceSeconds: Infinity })
      );
      const age = Math.round(Date.now() / 1000 - Number(given['atelier-timestamp']));
      const late =
        Math.abs(age) > tolerance ? ` It was sent ${age} s ago; receivers reject a delivery after ${tolerance} s.` : '';
      say('genuine', `Genuine: ${event.type ?? 'an event'} of ${event.id ?? 'no artwork'}.${late}`);
    } catch (error) {
      say('refused', `Not genuine: ${/** @type {Error} */ (error).message}`);
    }
  }
  /** @param {string} kind @param {string} text */
  function say(kind, text) {
    verdict.className = `verdict ${kind}`;
    verdict.textContent = text;
  }
  const submit = (/** @type {Event} */ event) => (event.preventDefault(), void check());
  const buttons = h(
    'div',
    { class: 'row' },
    h('button', { type: 'submit' }, 'Check the signature'),
    h('button', { type: 'button', class: 'plain', click: () => void example() }, 'Fill in an example'),
  );
  const form = h(
    'form',
    { submit },
    labelled(body, 'Raw body'),
    labelled(headers, 'Headers'),
    labelled(secret, 'Webhook secret'),
    buttons,
    verdict,
  );
  const intro = h(
    'p',
    { class: 'hint' },
    'Paste a delivery from your receiver; it does not leave this page. The example is the event of the last artwork, signed in this page.',
  );
  section.replaceChildren(
    h('h2', { id: 'webhook-title' }, 'Webhook'),
    h('details', {}, h('summary', {}, 'Check a delivery’s signature'), intro, form),
  );
}

/** @param {any} artwork */
function eventOf(artwork) {
  if (!artwork) return { type: 'artwork.succeeded', eventId: 'evt_01JG', id: 'art_01JG', status: 'SUCCEEDED' };
  return {
    type: `artwork.${artwork.status.toLowerCase()}`,
    eventId: 'evt_example',
    timestamp: artwork.finishedAt,
    ...artwork,
  };
}

/** @param {string} text @returns {Record<string, string>} */
const readHeaders = (text) =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => /^\s*([^:]+?)\s*:\s*(.*?)\s*$/.exec(line))
      .filter((one) => one !== null)
      .map(([, name = '', value = '']) => [name.toLowerCase(), value]),
  );

/** @param {string} text @param {string} secret */
async function sign(text, secret) {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
