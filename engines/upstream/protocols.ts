/** The protocols of all providers, loaded when an operator's file names them. */
import type { protocols } from '../../schemas/engines-file.ts';
import type { Protocol } from './provider.ts';

export type ProtocolName = (typeof protocols)[number];

const loaders: Readonly<Record<ProtocolName, () => Promise<Protocol>>> = {
  openai: async () => (await import('./openai/protocol.ts')).openai,
  'openai-compatible': async () => (await import('./openai-compatible/protocol.ts')).openaiCompatible,
  google: async () => (await import('./google/protocol.ts')).google,
  replicate: async () => (await import('./replicate/protocol.ts')).replicate,
  fal: async () => (await import('./fal/protocol.ts')).fal,
  comfyui: async () => (await import('./comfyui/protocol.ts')).comfyui,
};

export const loadProtocol = (name: ProtocolName): Promise<Protocol> => loaders[name]();
