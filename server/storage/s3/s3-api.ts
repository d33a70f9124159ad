import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { buildVault } from '../../auth/sealed-secrets.ts'
import { buildApi } from '../../http/api.ts'
import { corsOptions } from '../../http/cors.ts'
import { allowSlowBody } from '../../http/request-guard.ts'
import { drain } from '../byte-stream.ts'
import { fromDatabase } from '../from-database.ts'
import type { Services } from '../services.ts'
import type { StorageParts } from '../storage-parts.ts'
import { takeFiles } from '../take-files.ts'
import * as buckets from './bucket-operations.ts'
import * as parted from './multipart-operations.ts'
import * as objects from './object-operations.ts'
import type { Operation } from './operation.ts'
import { postObject } from './post-object.ts'
import { renderS3Error } from './render-s3-error.ts'
import { s3Errors } from './s3-errors.ts'
import { buildS3Keys } from './s3-keys.ts'
import { openSession } from './s3-session.ts'

/** Subresources of buckets and objects that don't exist here. They get an error, so that they aren't mistaken for the object itself. */
const unserved =
  /^(accelerate|acl|analytics|cors|encryption|intelligent-tiering|inventory|legal-hold|lifecycle|logging|metrics|notification|object-lock|ownershipControls|policy|policyStatus|publicAccessBlock|replication|requestPayment|restore|retention|select|torrent|versions|website)$/

/**
 * `/storage/v1/s3`: the S3 protocol, for aws-cli, rclone, and similar tools. It is a separate API: requests are signed (Signature Version 4),
 * and errors are S3's XML. Permissions are the same as everywhere: those of the caller, in the database.
 */
export const s3Api = (parts: StorageParts) =>
  buildApi<Services>({
    renderError: renderS3Error,
    fromDatabase,
    async routes(app, services) {
      const keys = buildS3Keys(services.database.service, buildVault(services.secrets))
      await app.register(cors, {
        ...corsOptions,
        exposedHeaders: ['etag', 'x-amz-request-id', 'content-range', 'content-length'],
      })
      takeFiles(app)
      await app.register(multipart)
      app.addHook('onError', async (request) => drain(request.raw))

      async function answer(request: FastifyRequest, reply: FastifyReply) {
        const { bucket = '', '*': key = '' } = request.params as { bucket?: string; '*'?: string }
        const query = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
        reply.header('x-amz-request-id', request.id)
        // A form is signed in one of its fields, any other request as a whole.
        if (request.method === 'POST' && bucket !== '' && key === '' && request.isMultipart()) {
          return postObject(
            { parts, session: { ...services, keys }, siteUrl: services.siteUrl() },
            bucket,
            request,
            reply,
          )
        }
        allowSlowBody(request.raw)
        const session = await openSession({ ...services, keys }, request)
        const operation = choose(request, bucket, key, query)
        return operation({
          ...session,
          parts,
          db: services.database.as(session.caller),
          bucket,
          key,
          query,
          request,
          reply,
        })
      }
      const method: HTTPMethods[] = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE']
      for (const url of ['/', '/:bucket', '/:bucket/*']) app.route({ method, url, handler: answer })
    },
  })

/** @throws NotImplemented (501). */
function choose({ method, headers }: FastifyRequest, bucket: string, key: string, query: URLSearchParams): Operation {
  const asked = [...query.keys()].find((name) => unserved.test(name))
  if (asked) throw s3Errors.notImplemented(asked)
  const readOnly =
    key !== '' && method === 'GET' ? undefined : ['tagging', 'attributes'].find((name) => query.has(name))
  if (readOnly) throw s3Errors.notImplemented(readOnly)
  const has = (name: string) => query.has(name)
  const copies = headers['x-amz-copy-source'] !== undefined
  const table: Readonly<Record<string, Operation | undefined>> =
    bucket === ''
      ? { GET: buckets.listAllBuckets }
      : key === ''
        ? {
            GET: has('uploads')
              ? parted.listMultipartUploads
              : has('location')
                ? buckets.getBucketLocation
                : has('versioning')
                  ? buckets.getBucketVersioning
                  : query.get('list-type') === '2'
                    ? buckets.listObjectsV2
                    : buckets.listObjectsV1,
            HEAD: buckets.headBucket,
            PUT: has('versioning') ? undefined : buckets.createBucket,
            POST: has('delete') ? buckets.deleteObjects : undefined,
            DELETE: buckets.removeBucket,
          }
        : {
            GET: has('uploadId')
              ? parted.listParts
              : has('tagging')
                ? objects.getObjectTagging
                : has('attributes')
                  ? objects.getObjectAttributes
                  : objects.getObject,
            HEAD: objects.getObject,
            PUT: has('uploadId')
              ? copies
                ? parted.uploadPartCopy
                : parted.uploadPart
              : copies
                ? objects.copyToObject
                : objects.putObject,
            POST: has('uploads')
              ? parted.createMultipartUpload
              : has('uploadId')
                ? parted.completeMultipartUpload
                : undefined,
            DELETE: has('uploadId') ? parted.abortMultipartUpload : objects.deleteObject,
          }
  const operation = table[method]
  if (!operation) throw s3Errors.notImplemented(method)
  return operation
}
