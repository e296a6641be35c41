/** The columns' clock. */
import { p } from '@mikro-orm/core';

/** A moment, to the millisecond: what JavaScript knows. */
export const time = () => p.datetime(3);
