/** Workflow templates: files in ComfyUI's API format with slots (`{{name}}`) for the values of a call. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

interface Node {
  class_type: string;
  inputs: Readonly<Record<string, unknown>>;
}

/** Nodes by id. An input is a value, or a link: the id of another node and the number of its output. */
export type Template = Readonly<Record<string, Node>>;

/** A mistake in a template, with a message for its author. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** A slot is a whole string. A slot with `?` may stay empty; its node is then left out, like a muted one in the editor. */
const slotPattern = /^\{\{(\w+)(\??)\}\}$/;

/** Returns the name of a slot; undefined for any other value. */
export const slotName = (value: unknown): string | undefined =>
  typeof value === 'string' ? slotPattern.exec(value)?.[1] : undefined;

/** @throws TemplateError when the file does not exist or is not a workflow */
export async function loadTemplate(path: string): Promise<Template> {
  const mistake = (text: string) => new TemplateError(`the workflow template ${basename(path)} ${text}`);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw mistake(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  });
  let template: unknown;
  try {
    template = JSON.parse(text);
  } catch {
    throw mistake('is not JSON');
  }
  const problem = findProblem(template);
  if (problem) throw mistake(problem);
  return template as Template;
}

/**
 * Returns the mistakes in a template and in the `input` of its binding, in sentences.
 * @param names the fields of `input`
 * @param optional those of them that a call may leave open
 */
export async function checkTemplate(path: string, names: readonly string[], optional: readonly string[] = []) {
  const template = await loadTemplate(path).catch((error: unknown) => {
    if (error instanceof TemplateError) return error.message;
    throw error;
  });
  if (typeof template === 'string') return [template];
  const slots = slotsIn(Object.values(template).map(({ inputs }) => inputs));
  const needed = new Set(slots.filter(({ isOptional }) => !isOptional).map(({ name }) => name));
  const known = new Set(slots.map(({ name }) => name));
  const file = basename(path);
  return [
    ...[...needed]
      .filter((name) => !names.includes(name))
      .map((name) => `no field of "input" fills {{${name}}} of ${file}`),
    ...names.filter((name) => !known.has(name)).map((name) => `${file} has no {{${name}}}`),
    ...optional
      .filter((name) => needed.has(name))
      .map((name) => `not every call fills {{${name}}} of ${file}: give it a default, or write {{${name}?}} there`),
  ];
}

/**
 * Returns the workflow to submit.
 * @param values by slot; null means no value
 * @throws TemplateError when a slot without `?` has no value
 */
export function fill(template: Template, values: Readonly<Record<string, unknown>>): Record<string, Node> {
  const isMuted = (id: string) => slotsIn(template[id]?.inputs).some((slot) => slot.isOptional && isEmpty(slot.name));
  const isEmpty = (name: string) => (values[name] ?? null) === null;
  const muted = new Set(Object.keys(template).filter(isMuted));
  const valueOf = (name: string) => {
    if (isEmpty(name)) throw new TemplateError(`{{${name}}} of a workflow template has no value`);
    const value = values[name];
    // ComfyUI would read a bare list as a link.
    return Array.isArray(value) ? { __value__: value as unknown[] } : value;
  };
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const name = slotPattern.exec(value)?.[1];
      return name === undefined ? value : valueOf(name);
    }
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value === 'object' && value !== null) return mapValues(value, filled);
    return value;
  };
  const kept = Object.entries(template).filter(([id]) => !muted.has(id));
  return Object.fromEntries(
    kept.map(([id, node]) => {
      const inputs = Object.entries(node.inputs).filter(([, value]) => !(isLink(value) && muted.has(value[0])));
      return [id, { ...node, inputs: mapValues(Object.fromEntries(inputs), filled) }];
    }),
  );
}

/**
 * Returns the workflow with other names for the files that it saves. ComfyUI does not execute a node again whose inputs are
 * those of an earlier job, and names the earlier file instead, which may be deleted by now.
 * @param prefix folder and start of the name below ComfyUI's `output`, different for each submission
 */
export function nameFiles(workflow: Template, prefix: string): Template {
  const named = Object.entries(workflow).map(([id, { inputs, ...node }]) => {
    const isSaved = Object.hasOwn(inputs, 'filename_prefix');
    return [id, { ...node, inputs: isSaved ? { ...inputs, filename_prefix: prefix } : inputs }] as const;
  });
  return Object.fromEntries(named);
}

function slotsIn(value: unknown): { name: string; isOptional: boolean }[] {
  if (typeof value === 'string') {
    const [, name, mark] = slotPattern.exec(value) ?? [];
    return name === undefined ? [] : [{ name, isOptional: mark === '?' }];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(slotsIn) : [];
}

function findProblem(template: unknown): string | null {
  if (!isObject(template) || Object.keys(template).length === 0) return 'is not a workflow';
  if (Array.isArray(template.nodes)) {
    return "is in the editor's own format. Save it with the editor's Export (API)";
  }
  for (const [id, node] of Object.entries(template)) {
    if (!isObject(node) || typeof node.class_type !== 'string') return `has no class_type at node ${id}`;
    if (!isObject(node.inputs)) return `has no inputs at node ${id}`;
    for (const [name, value] of Object.entries(node.inputs)) {
      const at = `at ${name} of node ${id}`;
      if (isLink(value) && !Object.hasOwn(template, value[0])) return `links to an unknown node ${at}`;
      if (typeof value === 'string' && /\{\{\w+\??\}\}/.test(value) && !slotPattern.test(value)) {
        return `has a slot inside a text ${at}. Use the slot as the whole value`;
      }
    }
  }
  return null;
}

export const isLink = (value: unknown): value is [string, number] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapValues = (object: object, change: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
