/** The names of owners and files, which become segments of paths and keys. */

const form = /^(?!\.)[\w.-]+$/;

/** Returns the name. @throws Error when it is not a plain name, such as one that leads out of its folder */
export function checkName(name: string): string {
  if (!form.test(name)) throw new Error('Not the name of a file');
  return name;
}
