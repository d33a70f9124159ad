import { storySecondsMax } from '@ovation/contract/limits'
import { storyTexts } from '@ovation/contract/texts/stories'
import { supabase } from '../../lib/api/supabase.ts'
import type { UploadControl } from '../../lib/uploads/upload-control.ts'
import { uploadFile } from '../../lib/uploads/upload-file.ts'
import { extensionOf } from '../composer/file-rules.ts'
import { hashFile } from '../vault-uploads/hash-file.ts'
import type { StoryAudience } from './queries.ts'

const texts = storyTexts.composer

export type NewStory = {
  /** Created by the client, so that a retry after a lost response doesn't share the story twice. */
  id: string
  caption: string
  alt: string
  audience: StoryAudience
  list: string
}

/** PostgREST's code for the status 409: the server hasn't measured the video yet. */
const beingPrepared = 'PT409'
const retryMs = 2_000
const maxTries = 60

/**
 * The file's id in the vault, where it goes if it isn't there yet (STORY-01).
 * @throws UploadError
 */
export async function keepInVault(
  file: File,
  userId: string,
  options: { control: UploadControl; onProgress: (percent: number) => void },
): Promise<string> {
  const sha256 = await hashFile(file)
  const known = await findKept(sha256)
  if (known) return known
  await uploadFile({
    ...options,
    bucket: 'vault',
    path: `${userId}/${crypto.randomUUID()}.${extensionOf(file)}`,
    file,
    resumes: true,
  })
  const kept = await findKept(sha256)
  if (!kept) throw new Error(texts.errors.gone)
  return kept
}

async function findKept(sha256: string): Promise<string | undefined> {
  const { data } = await supabase.from('vault_files').select('id').eq('sha256', sha256).limit(1).throwOnError()
  return data[0]?.id
}

/** Shares a file of the vault. A video that was just uploaded is measured first, which takes a moment. @returns the story's path. */
export async function shareStory(fileId: string, story: NewStory, signal: AbortSignal): Promise<string> {
  for (let tries = 1; ; tries++) {
    const { data, error } = await supabase
      .rpc('create_story', {
        file_id: fileId,
        audience: story.audience,
        caption: story.caption,
        alt_text: story.alt,
        story_id: story.id,
        ...(story.audience === 'list' && { list_id: story.list }),
      })
      .abortSignal(signal)
      .single()
    if (!error) return data.path
    if (error.code !== beingPrepared) throw error
    if (tries === maxTries) throw new Error(texts.errors.slow)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
    signal.throwIfAborted()
  }
}

/** The length of a chosen video in seconds; undefined if this browser can't read it, which the server then decides. */
export function measureVideo(file: File): Promise<number | undefined> {
  const address = URL.createObjectURL(file)
  const video = document.createElement('video')
  return new Promise<number | undefined>((resolve) => {
    video.preload = 'metadata'
    video.onloadedmetadata = () => resolve(Number.isFinite(video.duration) ? video.duration : undefined)
    video.onerror = () => resolve(undefined)
    video.src = address
  }).finally(() => URL.revokeObjectURL(address))
}

/** As the server: a recording of a minute is often a few frames longer. */
export const isTooLong = (seconds: number | null | undefined): boolean =>
  seconds !== null && seconds !== undefined && seconds >= storySecondsMax + 1
