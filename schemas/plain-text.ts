/** Text that can be stored: PostgreSQL takes neither NUL nor half a character, which JSON can spell. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
