import type { SupabaseClient } from '@supabase/supabase-js'
import { demoCrowd, demoVoices } from '../content/fans.ts'
import { demoEmail } from '../demo-client.ts'
import { pictureType, readPicture } from '../pictures.ts'

/** Accounts of the fans who comment, like, and pay. Nobody signs in as them, so they have no password. */
export async function inviteCrowd(service: SupabaseClient, signal: AbortSignal): Promise<void> {
  for (const { username, displayName, ...more } of [...demoVoices, ...demoCrowd]) {
    signal.throwIfAborted()
    const { error } = await service.auth.admin.createUser({
      email: demoEmail(username),
      email_confirm: true,
      user_metadata: { username, display_name: displayName, terms_accepted: true },
    })
    if (error && error.code !== 'email_exists') throw error
    if ('bio' in more) await showFace(service, username, more.bio)
  }
}

async function showFace(service: SupabaseClient, username: string, bio: string): Promise<void> {
  const { data: profile } = await service
    .from('profiles')
    .select('user_id')
    .eq('username', username)
    .single()
    .throwOnError()
  const path = `${profile.user_id}/portrait.webp`
  const avatars = service.storage.from('avatars')
  const picture = await readPicture(`face-${username}`)
  const { error } = await avatars.upload(path, picture, { contentType: pictureType, upsert: true })
  if (error) throw error
  const avatar_url = new URL(avatars.getPublicUrl(path).data.publicUrl).pathname
  await service.from('profiles').update({ avatar_url, bio }).eq('user_id', profile.user_id).throwOnError()
}
