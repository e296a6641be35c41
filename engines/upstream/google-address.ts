/** Where Google's Gemini API is, up to its version. */

export const googleAddress = 'https://generativelanguage.googleapis.com/v1beta';
