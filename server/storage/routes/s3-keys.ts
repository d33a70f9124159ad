import type { FastifyPluginAsync } from 'fastify'
import { serviceRole } from '../../postgres/caller.ts'
import { storageErrors } from '../errors.ts'
import type { S3Keys } from '../s3/s3-keys.ts'

const schema = {
  body: { type: 'object', properties: { description: { type: 'string', maxLength: 200, default: '' } } },
} as const

/** `/storage/v1/s3-keys`: the operator creates, lists, and revokes keys for the S3 protocol, with the service key. */
export const s3KeyRoutes: FastifyPluginAsync<{ keys: S3Keys }> = async (app, { keys }) => {
  app.addHook('preHandler', async ({ caller }) => {
    if (caller.role !== serviceRole.role) throw storageErrors.accessDenied()
  })
  app.post<{ Body: { description: string } }>('/s3-keys', { schema }, async ({ body }, reply) =>
    reply.status(201).send(await keys.create(body.description)),
  )
  app.get('/s3-keys', () => keys.list())
  app.delete<{ Params: { id: string } }>('/s3-keys/:id', async ({ params }) => {
    if (!(await keys.revoke(params.id))) throw storageErrors.noSuchS3Key()
    return { message: 'Successfully deleted' }
  })
}
