/** The environment of an object. A trigger sets it to that of the key that created the object, which never changes. */
import { p } from '@mikro-orm/core';
import { environments } from '../../schemas/access.ts';

export const environment = () => p.enum([...environments]).default('live');
