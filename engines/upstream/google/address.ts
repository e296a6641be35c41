/** Address of Google's Gemini API, including the version. */

export const googleAddress = 'https://generativelanguage.googleapis.com/v1beta';
