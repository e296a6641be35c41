/** The wire protocols, loaded when an operator's file names them. */
import type { protocols } from '../../schemas/engines-file.ts';
import type { Protocol } from './provider.ts';

export type ProtocolName = (typeof protocols)[number];

const files: Readonly<Record<ProtocolName, () => Promise<Protocol>>> = {
  openai: async () => (await import('./openai.ts')).openai,
  'openai-compatible': async () => (await import('./openai-compatible.ts')).openaiCompatible,
  google: async () => (await import('./google.ts')).google,
  replicate: async () => (await import('./replicate.ts')).replicate,
  fal: async () => (await import('./fal.ts')).fal,
  comfyui: async () => (await import('./comfyui.ts')).comfyui,
};

export const loadProtocol = (name: ProtocolName): Promise<Protocol> => files[name]();
