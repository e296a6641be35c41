export { cluster as default } from './jest.config.js';
