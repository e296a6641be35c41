/**
 * Sends values apart from their statement. MikroORM writes values into the statement. PostgreSQL logs failed statements,
 * so its log would contain prompts.
 */
import {
  type AnyEntity,
  type Dictionary,
  type EntityData,
  isRaw,
  JsonProperty,
  type NativeQueryBuilder,
  PostgreSqlConnection,
  PostgreSqlDriver,
  type QueryResult,
  raw,
  type RawQueryFragment,
  type Transaction,
  Utils,
} from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';

type Rows = QueryResult | EntityData<AnyEntity> | EntityData<AnyEntity>[];

export class BindingDriver extends PostgreSqlDriver {
  protected override readonly connection = new BindingConnection(this.config);
}

class BindingConnection extends PostgreSqlConnection {
  override async execute<T extends Rows = EntityData<AnyEntity>[]>(
    query: string | NativeQueryBuilder | RawQueryFragment,
    params: readonly unknown[] | Dictionary<unknown> = [],
    method: 'all' | 'get' | 'run' = 'all',
    transaction?: Transaction<Kysely<unknown>>,
  ): Promise<T> {
    await this.ensureConnection();
    const statement = this.#bind(fragmentOf(query, params));
    const executor: Kysely<unknown> = transaction ?? this.getClient();
    return this.transformRawResult<T>(await executor.executeQuery(statement), method);
  }

  #bind(fragment: RawQueryFragment): CompiledQuery {
    const values: unknown[] = [];
    const platform = this.getPlatform();
    const bind = (value: unknown) => `$${values.push(value)}`;
    /** Replaces the placeholders of MikroORM: `?` is a value, `??` a name, and `\?` a question mark. */
    const format = ({ sql, params }: RawQueryFragment): string => {
      if (params.length === 0) return sql;
      let next = 0;
      return sql.replaceAll(/\\\?|\?\??/g, (placeholder) => {
        if (placeholder === '\\?') return '?';
        const param = params[next++];
        return placeholder === '??' ? platform.quoteIdentifier(String(param)) : formatValue(param);
      });
    };
    const formatValue = (value: unknown): string => {
      if (isRaw(value)) return format(value);
      if (Array.isArray(value)) return value.map(formatValue).join(', ');
      if (typeof value === 'string' || ArrayBuffer.isView(value)) return bind(value);
      if (isJson(value)) return bind(JSON.stringify(value));
      // Numbers and times are not confidential, and keep their type when they are part of the statement.
      return String(platform.quoteValue(value));
    };
    return CompiledQuery.raw(format(fragment), values);
  }
}

function fragmentOf(
  query: string | NativeQueryBuilder | RawQueryFragment,
  params: readonly unknown[] | Dictionary<unknown>,
): RawQueryFragment {
  if (typeof query === 'string') return raw(query, params);
  return isRaw(query) ? query : query.toRaw();
}

const isJson = (value: unknown): boolean =>
  Utils.isPlainObject(value) || (typeof value === 'object' && value !== null && JsonProperty in value);
