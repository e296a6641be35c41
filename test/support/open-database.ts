/** Opens a database for a test: like `openDatabase`, with a longer timeout, for a busy machine. */
import { type Database, openDatabase } from '../../store/database.ts';

export const openTestDatabase = (url: string): Database => openDatabase({ url, name: 'test', timeout: 20_000 });
