/** Signed links to images. A link works without an API key, for one file, until the artwork expires. */
import type { Vault } from './vault.ts';

export interface Links {
  /** Returns a link. @param expiresAt when the link stops working */
  make(artworkId: string, name: string, expiresAt: Date): string;
  /** Returns whether a link is genuine and has not expired. @param now epoch milliseconds */
  check(artworkId: string, name: string, expires: string, signature: string, now: number): boolean;
}

export function openLinks(vault: Vault, publicUrl: string): Links {
  const signed = (artworkId: string, name: string, expires: string) => `${artworkId}/${name}?expires=${expires}`;
  return {
    make(artworkId, name, expiresAt) {
      const expires = String(Math.floor(expiresAt.getTime() / 1000));
      const signature = vault.sign(signed(artworkId, name, expires));
      return `${publicUrl}/v2/images/${artworkId}/${name}?expires=${expires}&signature=${signature}`;
    },
    check(artworkId, name, expires, signature, now) {
      return vault.verify(signed(artworkId, name, expires), signature) && now < Number(expires) * 1000;
    },
  };
}
