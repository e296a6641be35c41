/** The type of time columns. */
import { p } from '@mikro-orm/core';

/** A point in time with the precision of a JavaScript `Date`: milliseconds. */
export const time = () => p.datetime(3);
