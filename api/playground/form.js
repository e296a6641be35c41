/** The form of an operation: a control for each field of its schema, and each error at its field. */
import { control } from './controls/index.js';
import { h, prose, title } from './elements.js';
import { Problem } from './service.js';

/** @typedef {import('./schema.js').Operation} Operation @typedef {import('./controls/index.js').Control} Control */

/** Returns whether the example can be sent: images and styles of examples do not exist. @param {string} name @param {import('./schema.js').Schema} schema */
const hasExample = (name, { format, items }) =>
  name !== 'styleDnaId' && format !== 'image-source' && items?.format !== 'image-source';

/**
 * @param {Operation} operation
 * @param {ReadonlySet<string>} shared fields of the collapsed section
 * @param {() => void} changed
 */
export function createForm(operation, shared, changed) {
  /** @type {Map<string, Control>} */
  const controls = new Map();
  /** @type {Map<string, HTMLElement>} */
  const errors = new Map();
  const id = (/** @type {string} */ name) => `${operation.name.replaceAll('/', '-')}-${name}`;

  /** @param {string} name */
  function edited(name) {
    if (controls.get(name)?.peek() !== undefined) {
      // The service rejects a request with both fields of a pair.
      for (const pair of operation.exclusions.filter((pair) => pair.includes(name))) {
        controls.get(pair[0] === name ? pair[1] : pair[0])?.set(undefined);
      }
    }
    showError(name, '');
    changed();
  }

  /** @param {string} name */
  function field(name) {
    const schema = operation.fields[name] ?? {};
    const required = operation.required.includes(name);
    const made = control(name, schema, {
      ...{ id: id(name), required, changed: () => edited(name), field: (other) => controls.get(other) },
    });
    controls.set(name, made);
    const error = h('p', { class: 'error', id: `${id(name)}-error` });
    errors.set(name, error);
    // The control itself shows how to give an image, so the first sentence is enough.
    const words =
      schema.format === 'image-source' ? (schema.description ?? '').split('. ')[0] + '.' : schema.description;
    const hint = h('p', { class: 'hint', id: `${id(name)}-hint` }, ...prose(words ?? ''));
    const described = `${id(name)}-hint ${id(name)}-error`;
    const caption = [title(name), ' ', required && h('span', { class: 'required' }, 'required')];
    if (made.group) {
      return h(
        'fieldset',
        { class: 'field', 'aria-describedby': described },
        h('legend', {}, ...caption),
        made.element,
        hint,
        error,
      );
    }
    made.input.setAttribute('aria-describedby', described);
    const label = h('label', { for: id(name), class: 'name' }, ...caption);
    return h('div', { class: `field ${shapeOf(schema)}` }, label, made.element, hint, error);
  }

  const names = Object.keys(operation.fields);
  const own = names.filter((name) => !shared.has(name) || operation.required.includes(name));
  const collapsed = names.filter((name) => !own.includes(name));
  const general = h('p', { class: 'error', role: 'alert' });
  const more = h('details', {}, h('summary', {}, 'Delivery and output'), ...collapsed.map(field));
  const send = h('button', { type: 'submit', class: 'send' }, operation.artwork ? 'Create' : 'Send');
  const element = h('form', { novalidate: true }, ...own.map(field), collapsed.length > 0 && more, general, send);
  for (const [name, value] of Object.entries(operation.example)) {
    if (hasExample(name, operation.fields[name] ?? {})) controls.get(name)?.set(value);
  }

  /** @param {string} name @param {string} message */
  function showError(name, message) {
    const element = errors.get(name);
    if (!element || element.textContent === message) return;
    element.textContent = message;
    controls.get(name)?.input.setAttribute('aria-invalid', String(message !== ''));
  }

  /** Shows each error at its field, and errors without a field at the end. @param {unknown} error */
  function showProblem(error) {
    const problems = error instanceof Problem ? error.errors : [];
    const at = problems.map(({ path, message }) => ({ name: path.split('/')[1] ?? '', message }));
    for (const { name, message } of at) showError(name, message);
    const [first] = at.filter(({ name }) => controls.has(name));
    const rest = at.filter(({ name }) => !controls.has(name)).map(({ message }) => `The request ${message}`);
    general.textContent = first || rest.length > 0 ? rest.join(' ') : /** @type {Error} */ (error).message;
    if (!first) return;
    if (collapsed.includes(first.name)) more.open = true;
    controls.get(first.name)?.input.focus();
  }

  /** @param {(control: Control, name: string) => unknown} read */
  const collect = (read) => [...controls].map(([name, one]) => /** @type {const} */ ([name, read(one, name)]));
  const body = (/** @type {(readonly [string, unknown])[]} */ entries) =>
    Object.fromEntries(entries.filter(([, value]) => value !== undefined));

  return {
    operation,
    element,
    send,
    peek: () => body(collect((one) => one.peek())),
    /** @returns {Promise<Record<string, unknown>>} @throws Problem of the first rejected file, at its field */
    async resolve() {
      const waiting = collect((one, name) => (one.resolve?.() ?? Promise.resolve(one.peek())).catch(atField(name)));
      return body(await Promise.all(waiting.map(async ([name, value]) => /** @type {const} */ ([name, await value]))));
    },
    pictures: () =>
      collect((one) => one.pictures?.() ?? []).flatMap(([name, pictures]) =>
        /** @type {{ name: string, url: string | null }[]} */ (pictures).map((picture) => ({
          ...picture,
          field: title(name),
        })),
      ),
    showProblem,
    clear() {
      general.textContent = '';
      for (const name of errors.keys()) showError(name, '');
    },
  };
}

/** Returns the CSS class of a field. Optional numbers of few digits share a row. @param {import('./schema.js').Schema} schema */
function shapeOf({ type, default: usual, multipleOf, minimum, maximum }) {
  if (type === 'boolean') return 'switch';
  const number = type === 'integer' || type === 'number';
  return number && usual === undefined && (multipleOf || maximum - minimum < 10_000) ? 'half' : '';
}

/** Returns a handler that puts the error of an upload at its field. @param {string} name @returns {(error: unknown) => never} */
const atField = (name) => (error) => {
  if (!(error instanceof Problem) || error.status === 401) throw error;
  throw new Problem({
    status: error.status,
    message: error.message,
    errors: [{ path: `/${name}`, message: error.message }],
  });
};
