import type { DemoStory } from './content/types.ts'
import type { DemoPerson } from './demo-client.ts'
import { pictureType, readPicture } from './pictures.ts'

/** A story of the day, and the highlight that keeps it. Skipped if the creator has it already. */
export async function seedStory({ client, userId, profileId }: DemoPerson, story: DemoStory) {
  const { picture, caption, alt, audience, highlight } = story
  const { data: same } = await client
    .from('stories')
    .select('id')
    .eq('creator_id', profileId)
    .eq('caption', caption)
    .throwOnError()
  const id = same[0]?.id ?? (await share())
  if (!highlight) return
  const { data: kept } = await client.from('story_highlights').select('id').eq('name', highlight).throwOnError()
  if (kept.length === 0) await client.rpc('save_story_highlight', { name: highlight, story_ids: [id] }).throwOnError()

  async function share(): Promise<string> {
    const { data: kept, error } = await client.storage
      .from('vault')
      .upload(`${userId}/${crypto.randomUUID()}.webp`, await readPicture(picture), { contentType: pictureType })
    if (error) throw error
    const { data } = await client
      .rpc('create_story', { file_id: kept.id, audience, caption, alt_text: alt })
      .single<{ id: string }>()
      .throwOnError()
    return data.id
  }
}
