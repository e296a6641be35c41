/** The titles of the tests in a file, as they are written: `%s: returns 404`. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** @throws Error when the file does not exist */
export function testTitles(file: string): Set<string> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) && callsTest(node.expression) ? node.arguments : [];
    if (title && ts.isStringLiteralLike(title)) titles.add(title.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** Returns whether a callee is `test` or `test.each(…)`. */
function callsTest(callee: ts.Node): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'test';
  return ts.isCallExpression(callee) && ts.isPropertyAccessExpression(callee.expression)
    ? callsTest(callee.expression.expression)
    : false;
}
