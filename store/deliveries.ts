/** Every try to deliver a webhook. */
import type { Database } from './database.ts';
import { Delivery } from './entities.ts';

/** Keeps a try; one that a crash made to run twice keeps its last answer. */
export async function saveDelivery(db: Database, delivery: Delivery): Promise<void> {
  await db.em().upsert(Delivery, delivery);
}

export function findDelivery(db: Database, artworkId: string, attempt: number): Promise<Delivery | null> {
  return db.em().findOne(Delivery, { artwork: artworkId, attempt });
}

export function findDeliveries(db: Database, artworkId: string): Promise<Delivery[]> {
  return db.em().find(Delivery, { artwork: artworkId }, { orderBy: { attempt: 'asc' } });
}
