/** Returns whether PostgreSQL can store a text: JSON can express NUL and lone surrogates, PostgreSQL cannot. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
