/** The licences that production packages may have, and the exceptions. */

/** Licences that allow use in a commercial service and in its images, and only ask for their text to be kept. */
export const allowedLicences = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
];

export interface LicenceException {
  /** A name, or the beginning of names followed by `*`. */
  packages: string;
  /** Set if the package declares no licence: the version whose licence file was read. */
  version?: string;
  /** The licence that the package declares, or that of its licence file. */
  licence: string;
  reason: string;
}

export const licenceExceptions: LicenceException[] = [
  {
    packages: '@img/sharp-libvips-*',
    licence: 'LGPL-3.0-or-later',
    reason: 'A shared library that sharp loads. It is not modified, and can be replaced in the image.',
  },
  {
    packages: '@img/sharp-wasm32',
    licence: 'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
    reason: 'libvips for platforms without a shared library. Not installed in the images.',
  },
  {
    packages: '@img/sharp-win32-*',
    licence: 'Apache-2.0 AND LGPL-3.0-or-later',
    reason: 'sharp and the shared library libvips for Windows. Not installed in the images.',
  },
  {
    packages: 'caniuse-lite',
    licence: 'CC-BY-4.0',
    reason: "Data on browsers. Temporal's bundler of workflows depends on it; the service does not read it.",
  },
  {
    packages: 'busboy',
    version: '1.6.0',
    licence: 'MIT',
    reason: 'Declares its licence in an old field that npm does not read.',
  },
  {
    packages: 'streamsearch',
    version: '1.1.0',
    licence: 'MIT',
    reason: 'Declares its licence in an old field that npm does not read.',
  },
  {
    packages: 'unionfs',
    version: '4.6.0',
    licence: 'Unlicense',
    reason: 'Declares no licence; its file LICENSE is the text of the Unlicense.',
  },
];
