/** Reads the operations from the OpenAPI document, the playground's only source. */

/**
 * @typedef {Record<string, any>} Schema
 * @typedef {object} Operation
 * @property {string} name such as `selena` or `style-dna/generate`
 * @property {string} path
 * @property {string} tag
 * @property {string} summary
 * @property {string} description
 * @property {boolean} artwork false for a synchronous request
 * @property {Record<string, Schema>} fields
 * @property {string[]} required
 * @property {[string, string][]} exclusions pairs of fields that exclude each other
 * @property {Record<string, unknown>} example
 */

/** An operation is a POST of JSON with the query parameter `dryRun`. @param {any} document @returns {Operation[]} */
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

/** Returns the fields that every artwork has; the form collapses them. @param {readonly Operation[]} operations */
export function sharedFields(operations) {
  const [first, ...others] = operations.filter(({ artwork }) => artwork);
  const names = Object.keys(first?.fields ?? {});
  return new Set(names.filter((name) => others.every(({ fields }) => name in fields)));
}
