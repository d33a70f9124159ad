import type { DemoPerson } from './demo-client.ts'
import { drawPortrait } from './pictures/draw.ts'

/** Draws, uploads, and sets a user's avatar. */
export async function giveAvatar(
  { client, userId, profileId }: DemoPerson,
  palette: Parameters<typeof drawPortrait>[0],
  seed: number,
) {
  const path = `${userId}/portrait.jpg`
  const avatars = client.storage.from('avatars')
  const { error } = await avatars.upload(path, await drawPortrait(palette, seed), {
    contentType: 'image/jpeg',
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
