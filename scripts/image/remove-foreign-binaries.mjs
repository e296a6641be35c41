/** Removes the binaries of other platforms from node_modules, which some packages contain for all platforms. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const { platform, arch } = process;
const triples = { x64: 'x86_64-unknown-linux-gnu', arm64: 'aarch64-unknown-linux-gnu' };

keepOnly('node_modules/onnxruntime-node/bin/napi-v6', platform);
keepOnly(join('node_modules/onnxruntime-node/bin/napi-v6', platform), arch);
keepOnly('node_modules/@temporalio/core-bridge/releases', triples[arch]);

/** Removes everything from the folder but the entry of this name, if both exist. */
function keepOnly(folder, name) {
  if (!existsSync(join(folder, String(name)))) return;
  for (const other of readdirSync(folder)) if (other !== name) rmSync(join(folder, other), { recursive: true });
}
