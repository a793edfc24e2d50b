import type { Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { searchAttributes } from '../core/search-attributes.ts'
import { grpcAlreadyExists, grpcNotFound, grpcPermissionDenied, grpcUnimplemented, hasGrpcCode } from './grpc-codes.ts'

const keyword = 2
const retention = msToTs('7 days')

/** The server does not allow this call, as on Temporal Cloud; waiting does not help. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** Creates the namespace if it is missing. */
export async function makeNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  try {
    await workflowService.describeNamespace({ namespace })
  } catch (error) {
    if (isRefusal(error)) {
      const hint = 'check TEMPORAL_NAMESPACE and TEMPORAL_API_KEY'
      throw new RefusedError(`Temporal does not let us see the namespace ${namespace}: ${hint}`, { cause: error })
    }
    if (!hasGrpcCode(error, grpcNotFound)) throw error
    await registerNamespace({ workflowService }, namespace)
  }
}

async function registerNamespace({ workflowService }: Pick<Connection, 'workflowService'>, namespace: string) {
  try {
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention })
  } catch (error) {
    if (hasGrpcCode(error, grpcAlreadyExists)) return
    if (!isRefusal(error)) throw error
    const hint = 'make it in the console of Temporal Cloud or with tcld'
    throw new RefusedError(`The namespace ${namespace} does not exist: ${hint}`, { cause: error })
  }
}

/** Creates missing search attributes; throws until all of them can be used. */
export async function makeSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const known = await knownSearchAttributes(connection, namespace)
  const missing = searchAttributes.map(({ name }) => name).filter((name) => !known.includes(name))
  if (missing.length === 0) {
    // Refused until the server's cache has them.
    const query = searchAttributes.map(({ name }) => `${name} = 'any'`).join(' OR ')
    await connection.workflowService.countWorkflowExecutions({ namespace, query })
    return
  }
  try {
    const added = Object.fromEntries(missing.map((name) => [name, keyword]))
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: added })
  } catch (error) {
    if (isRefusal(error)) {
      const what = `the search attributes ${new Intl.ListFormat('en').format(missing)}, of type Keyword`
      const hint = 'add them in the console of Temporal Cloud or with tcld'
      throw new RefusedError(`The namespace ${namespace} lacks ${what}: ${hint}`, { cause: error })
    }
    if (!hasGrpcCode(error, grpcAlreadyExists)) throw error
  }
  throw new Error('search attributes are not ready yet')
}

async function knownSearchAttributes(
  { operatorService, workflowService }: Connection,
  namespace: string,
): Promise<string[]> {
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
    return Object.keys(customAttributes ?? {})
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { config } = await workflowService.describeNamespace({ namespace })
    return Object.values(config?.customSearchAttributeAliases ?? {})
  }
}

function isRefusal(error: unknown): boolean {
  return hasGrpcCode(error, grpcPermissionDenied) || hasGrpcCode(error, grpcUnimplemented)
}
