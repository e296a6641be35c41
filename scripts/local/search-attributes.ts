/** Adds our search attributes to a namespace, or names those that an administrator has to add. */
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { grpcStatus } from '../../runtime/grpc-status.ts';
import { StartupError } from '../../runtime/startup-error.ts';
import { searchAttributes } from '../../schemas/search-attributes.ts';

/** The type Keyword of search attributes in Temporal's API. */
const keyword = 2;
/** The statuses with which a server refuses its administration, as Temporal Cloud does. */
const refusals: number[] = [grpcStatus.permissionDenied, grpcStatus.unimplemented, grpcStatus.unauthenticated];

/** The namespace lacks search attributes, and this client may not add them. */
export class MissingSearchAttributes extends StartupError {
  constructor(names: readonly string[], namespace: string) {
    const self = names.map((name) => `--name ${name} --type Keyword`).join(' ');
    const cloud = names.map((name) => `--search-attribute "${name}=Keyword"`).join(' ');
    super(
      `The Temporal namespace ${namespace} lacks the search attributes ${names.join(', ')}, and this client may not add them. ` +
        `Add them as an administrator.\n` +
        `  Temporal Cloud:  tcld namespace search-attributes add --namespace ${namespace} ${cloud}\n` +
        `  Your own server: temporal operator search-attribute create --namespace ${namespace} ${self}`,
    );
  }
}

/** @throws MissingSearchAttributes when attributes are missing and this client may not add them */
export async function addMissingAttributes(connection: Connection, namespace: string): Promise<void> {
  const missing = await missingAttributes(connection, namespace);
  if (missing.length === 0) return;
  const add = Object.fromEntries(missing.map((name) => [name, keyword]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: add });
  } catch (error) {
    if (isRefusal(error)) throw new MissingSearchAttributes(missing, namespace);
    if (!isGrpcServiceError(error) || Number(error.code) !== grpcStatus.alreadyExists) throw error;
  }
}

async function missingAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const names = Object.values(searchAttributes);
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return names.filter((name) => customAttributes?.[name] === undefined);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const known = await Promise.all(names.map((name) => isKnown(connection, namespace, name)));
  return names.filter((_name, index) => known[index] === false);
}

/** Returns whether a query may use the attribute, which every client may find out. */
async function isKnown(connection: Connection, namespace: string, name: string): Promise<boolean> {
  try {
    await connection.workflowService.countWorkflowExecutions({ namespace, query: `${name} = 'none'` });
    return true;
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === grpcStatus.invalidArgument) return false;
    throw error;
  }
}

const isRefusal = (error: unknown) => isGrpcServiceError(error) && refusals.includes(error.code);
