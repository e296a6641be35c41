/** Validates request bodies against their schemas. Reports all errors at once, each with the field's pointer and a message for people. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { isOverlong, refuseAddress } from '../schemas/addresses.ts';
import { notBlank } from '../schemas/fields.ts';
import { isNetwork, longestNetwork } from '../schemas/networks.ts';
import { imageFormat } from '../schemas/image-fields.ts';
import { refuseImageSource } from '../schemas/image-source.ts';
import { messageFor } from '../schemas/mistake.ts';
import type { RuleFailure } from '../schemas/request.ts';
import type { FieldError } from './problem.ts';
import { checkText, escapePointer } from './body-checks.ts';
import { shortenTexts } from './overlong-texts.ts';

/**
 * Validates a body that `checkShape` has accepted, and returns all failures. Fills in its defaults and shortens its
 * overlong texts in place.
 */
export type Validate = (body: unknown) => FieldError[];

export interface Validator {
  compile(schema: TSchema): Validate;
}

/** Maximum characters of a date-time. ajv-formats splits a text before it checks it, and a text may have 30 MB. */
const longestDateTime = 64;
const dateTime = addFormats.default.get('date-time') as { validate(value: string): boolean };

/** The message for a text that is no time. */
export const notDateTime = 'must be a date-time, such as 2026-12-31T23:59:59Z';

/** Returns whether a text has the form of a time with an offset, such as `2026-12-31T23:59:59Z`. It may be a leap second. */
export const isDateTime = (text: string) => text.length <= longestDateTime && dateTime.validate(text);

/** The operator's rules for addresses in requests. */
export interface AddressRules {
  /** Private hosts that requests may name. */
  allowedHosts: readonly string[];
  /** As in `URL.protocol`. */
  webhookProtocols: readonly string[];
}

export function createValidator(rules: AddressRules): Validator {
  const { allowedHosts, webhookProtocols } = rules;
  const refuseWebhook = (value: string) => refuseAddress(value, allowedHosts, webhookProtocols);
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allErrors: true,
    useDefaults: true,
    verbose: true,
    keywords: ['x-rule'],
    // The meta-schema takes long to compile, and the tests check our schemas.
    validateSchema: false,
  });
  ajv.addFormat('date-time', isDateTime);
  ajv.addFormat(imageFormat, (value: string) => refuseImageSource(value, allowedHosts) === null);
  // An overlong address already fails `maxLength`.
  ajv.addFormat('webhook-url', (value: string) => isOverlong(value) || refuseWebhook(value) === null);
  // An overlong text already fails `maxLength`.
  ajv.addFormat('network', (value: string) => value.length > longestNetwork || isNetwork(value));

  return {
    compile(schema) {
      // Compiled with the first body, because compiling all schemas would take most of the start.
      let check: ValidateFunction | undefined;
      return (body) => {
        check ??= ajv.compile(schema);
        const unstorable = checkText(body);
        const failures = check(shortenTexts(schema, body))
          ? []
          : (check.errors ?? []).flatMap((error) => describe(error, rules));
        return [...unstorable, ...failures];
      };
    },
  };
}

function describe(error: ErrorObject, { allowedHosts, webhookProtocols }: AddressRules): FieldError[] {
  const { instancePath, keyword, parentSchema, data } = error;
  // `contains` reports one error for the whole list. The errors of single items would repeat it.
  if (error.schemaPath.includes('/contains/')) return [];
  const params = error.params as Record<string, unknown>;
  const at = (name: string) => `${instancePath}/${escapePointer(name)}`;
  const field = (path: string, message: string) => [{ path, rule: keyword, message }];
  const own = (parentSchema as { 'x-rule'?: RuleFailure } | undefined)?.['x-rule'];
  if (own) return [{ ...own, path: instancePath + own.path }];
  switch (keyword) {
    case 'required':
      return field(at(String(params['missingProperty'])), 'is required');
    case 'dependentRequired':
      return field(at(String(params['missingProperty'])), `must be sent together with ${String(params['property'])}`);
    case 'additionalProperties': {
      const known = Object.keys((parentSchema?.['properties'] ?? {}) as object).join(', ');
      return field(
        at(String(params['additionalProperty'])),
        `is not a field of this request. Its fields are: ${known}`,
      );
    }
    case 'propertyNames':
      return field(at(String(params['propertyName'])), 'has a name that is too long or empty');
    case 'enum':
      return field(instancePath, `must be one of: ${(params['allowedValues'] as unknown[]).join(', ')}`);
    case 'minLength':
    case 'maxLength':
      // `propertyNames` reports the name of a field.
      if (error.propertyName !== undefined) return [];
      return field(instancePath, messageFor(keyword, params));
    case 'pattern':
      if (params['pattern'] !== notBlank) return field(instancePath, 'is not valid');
      // An empty text already fails `minLength`.
      return data === '' ? [] : field(instancePath, 'must contain more than white space');
    case 'format':
      if (params['format'] === 'webhook-url') {
        return field(
          instancePath,
          refuseAddress(String(data), allowedHosts, webhookProtocols) ?? 'must be an absolute URL',
        );
      }
      if (params['format'] === imageFormat) {
        return field(instancePath, refuseImageSource(String(data), allowedHosts) ?? 'must name an image');
      }
      if (params['format'] === 'network') {
        return field(instancePath, 'must be an IP address such as 203.0.113.7 or a network such as 203.0.113.0/24');
      }
      return field(instancePath, notDateTime);
    default:
      return field(instancePath, messageFor(keyword, params));
  }
}
