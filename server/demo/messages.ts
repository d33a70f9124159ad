import { firstConversation } from './content/conversations.ts'
import type { DemoPerson } from './demo-client.ts'
import { pictureType, readPicture } from './pictures.ts'

/** A conversation between a creator and a fan: text, a picture, and a paid message that is still locked. Created once. */
export async function seedConversation(creator: DemoPerson, fan: DemoPerson) {
  const { data: said } = await fan.client.from('messages').select('id').limit(1).throwOnError()
  if (said.length > 0) return
  for (const { by, content, picture, price } of firstConversation.messages) {
    const [sender, recipient] = by === creator.username ? [creator, fan] : [fan, creator]
    const paths = picture ? [await uploadPicture(sender, picture)] : []
    // One after the other: they are read in the order in which they were written.
    await sender.client
      .from('messages')
      .insert({
        sender_id: sender.profileId,
        recipient_id: recipient.profileId,
        content,
        media_urls: paths,
        media_types: paths.map(() => 'image'),
        is_paid: price !== undefined,
        price: price ?? 0,
      })
      .throwOnError()
  }
  // Both have read everything they may read.
  await Promise.all([creator, fan].map((reader) => readAll(reader)))
}

async function readAll({ client, profileId }: { client: DemoPerson['client']; profileId: string }) {
  await client
    .from('messages')
    .update({ is_read: true })
    .eq('recipient_id', profileId)
    .eq('is_locked', false)
    .throwOnError()
}

async function uploadPicture({ client, userId }: DemoPerson, picture: string) {
  const path = `${userId}/${picture}.webp`
  const { error } = await client.storage
    .from('messages')
    .upload(path, await readPicture(picture), { contentType: pictureType })
  // An interrupted start may have left it; it is kept.
  if (error && !/exists/i.test(error.message)) throw error
  return path
}
