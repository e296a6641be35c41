/** Reads the operations out of the OpenAPI document: what it says is all that the playground knows. */

/**
 * @typedef {Record<string, any>} Schema
 * @typedef {object} Operation
 * @property {string} name as artworks name it
 * @property {string} path
 * @property {string} tag
 * @property {string} summary
 * @property {string} description
 * @property {boolean} artwork false: it answers at once
 * @property {Record<string, Schema>} fields
 * @property {string[]} required
 * @property {[string, string][]} exclusions pairs of fields of which a request has one
 * @property {Record<string, unknown>} example
 */

/** Creations are what a key with the smallest scope may post as JSON. @param {any} document @returns {Operation[]} */
export function readOperations(document) {
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    const content = post?.requestBody?.content['application/json'];
    if (!content || path.includes('{') || !/dryRun/.test(JSON.stringify(post.parameters))) return [];
    return [operationOf(path, post, content)];
  });
}

/** @param {string} path @param {any} post @param {any} content @returns {Operation} */
function operationOf(path, post, { schema, example = {} }) {
  return {
    name: path.replace(/^\/v2\/(artworks\/)?/, ''),
    path,
    tag: post.tags[0],
    summary: post.summary,
    description: post.description,
    artwork: '202' in post.responses,
    fields: schema.properties,
    required: schema.required ?? [],
    exclusions: (schema.allOf ?? []).flatMap(
      /** @param {Schema} rule */ ({ not }) => (not?.required?.length === 2 && !not.properties ? [not.required] : []),
    ),
    example,
  };
}

/** Fields that every artwork takes: they are folded away below the form. @param {readonly Operation[]} operations */
export function sharedFields(operations) {
  const [first, ...others] = operations.filter(({ artwork }) => artwork);
  const names = Object.keys(first?.fields ?? {});
  return new Set(names.filter((name) => others.every(({ fields }) => name in fields)));
}
