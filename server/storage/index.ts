import { buildVault } from '../auth/sealed-secrets.ts'
import { buildApi } from '../http/api.ts'
import { fromDatabase } from './from-database.ts'
import { renderError } from './render-error.ts'
import { bucketRoutes } from './routes/buckets.ts'
import { listObjectsRoute } from './routes/list-objects.ts'
import { listPageRoute } from './routes/list-page.ts'
import { notEnabledRoutes } from './routes/not-enabled.ts'
import { objectInfoRoutes } from './routes/object-info.ts'
import { readObjectRoutes } from './routes/read-object.ts'
import { removeObjectsRoutes } from './routes/remove-objects.ts'
import { renderCaptionsRoute } from './routes/render-captions.ts'
import { renderImageRoutes } from './routes/render-image.ts'
import { renderVideoRoute } from './routes/render-video.ts'
import { s3KeyRoutes } from './routes/s3-keys.ts'
import { serviceInfoRoutes } from './routes/service-info.ts'
import { signObjectRoutes } from './routes/sign-object.ts'
import { signUploadRoute } from './routes/sign-upload.ts'
import { transferObjectRoutes } from './routes/transfer-object.ts'
import { uploadObjectRoutes } from './routes/upload-object.ts'
import { buildS3Keys } from './s3/s3-keys.ts'
import type { Services } from './services.ts'
import type { StorageParts } from './storage-parts.ts'
import { startSweeping } from './sweep.ts'
import { tusRoutes } from './tus/tus-routes.ts'

/** `/storage/v1`: files, with storage-js's protocol (API-STO). Row-level security on `storage.objects` decides every permission. */
export const storageApi = (parts: StorageParts) =>
  buildApi<Services>({
    renderError,
    fromDatabase,
    async routes(app, services) {
      const { database, secrets, log } = services
      await app.register(bucketRoutes, { parts })
      await app.register(uploadObjectRoutes, { parts })
      await app.register(signUploadRoute, { parts })
      await app.register(tusRoutes, { parts })
      await app.register(readObjectRoutes, { parts })
      await app.register(renderImageRoutes, { parts })
      await app.register(renderVideoRoute, { parts })
      await app.register(renderCaptionsRoute, { parts })
      await app.register(objectInfoRoutes, { parts })
      await app.register(signObjectRoutes, { parts })
      await app.register(listObjectsRoute, { parts })
      await app.register(listPageRoute, { parts })
      await app.register(transferObjectRoutes, { parts })
      await app.register(removeObjectsRoutes, { parts })
      await app.register(s3KeyRoutes, { keys: buildS3Keys(database.service, buildVault(secrets)) })
      await app.register(serviceInfoRoutes)
      await app.register(notEnabledRoutes)
      app.addHook('onReady', () => parts.rowCache.listen())
      app.addHook('onClose', () => parts.rowCache.close())
      app.addHook('onClose', startSweeping({ ...parts, service: database.service }, log))
    },
  })
