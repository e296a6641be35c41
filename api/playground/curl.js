/** Returns the request as a curl command; the key remains a shell variable. */

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * @param {string} path
 * @param {Record<string, unknown>} body
 * @param {string[]} files names of files that are not uploaded yet
 */
export function curl(path, body, files) {
  const bearer = '-H "Authorization: Bearer $ATELIER_KEY"';
  const uploads = files.map(
    (name) => `curl ${location.origin}/v2/files ${bearer} -F ${quote(`file=@${name}`)}   # → its id, for file_…`,
  );
  const creation = [
    `curl ${location.origin}${path}`,
    bearer,
    '-H "Content-Type: application/json"',
    `-d ${quote(JSON.stringify(body))}`,
  ];
  return [...uploads, creation.join(' \\\n  ')].join('\n');
}
