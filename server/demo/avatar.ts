import type { DemoPerson } from './demo-client.ts'
import { pictureType, readPicture } from './pictures.ts'

/** Uploads and sets a user's avatar. */
export async function giveAvatar({ client, username, userId, profileId }: DemoPerson) {
  const path = `${userId}/portrait.webp`
  const avatars = client.storage.from('avatars')
  const { error } = await avatars.upload(path, await readPicture(`face-${username}`), {
    contentType: pictureType,
    upsert: true,
  })
  if (error) throw error
  const { publicUrl } = avatars.getPublicUrl(path).data
  await client
    .from('profiles')
    .update({ avatar_url: new URL(publicUrl).pathname })
    .eq('id', profileId)
    .throwOnError()
}
