import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/** As the service: who may read the video was asked before, and its poster is as open as the video. */
export async function findPoster(db: ServiceDb, objectId: string, version: string) {
  const [poster] = await db.rows<{ version: string; type: string }>(sql`
    select f.version, f.mimetype as type
    from private.videos v join private.video_files f on f.object_id = v.object_id
    where v.object_id = ${objectId} and v.version = ${version} and f.kind = 'poster'`)
  return poster
}
