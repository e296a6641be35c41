/** The version of npm in the images, with which npm must accept the lock file. */
export const npmVersion = '11.19.1';
