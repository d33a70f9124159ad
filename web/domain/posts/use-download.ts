import { postTexts } from '@ovation/contract/texts/posts'
import { useMutation } from '@tanstack/react-query'
import { toast } from '../../ui/toast.ts'

const linkSeconds = 60

/**
 * Saves a file of a post: as a blob, else through a direct link, else in a new tab (POST-50). All three need a signed link, which the
 * viewer only gets with access to the post.
 */
export function useDownload(): { start: (path: string) => void; pending: string | undefined } {
  const download = useMutation({
    mutationFn: async (path: string) => {
      const name = path.split('/').at(-1) ?? 'file'
      const { storage } = await import('../../lib/api/storage.ts')
      const { data, error } = await storage().from('posts').createSignedUrl(path, linkSeconds, { download: name })
      if (error) throw error
      try {
        const response = await fetch(data.signedUrl)
        if (!response.ok) throw new Error(response.statusText)
        const address = URL.createObjectURL(await response.blob())
        follow(address, name)
        setTimeout(() => URL.revokeObjectURL(address), linkSeconds * 1_000)
      } catch {
        // Too large for memory, or interrupted: leave it to the browser's own download.
        if (!follow(data.signedUrl, name) && !window.open(data.signedUrl, '_blank', 'noopener'))
          throw new Error('blocked')
      }
    },
    onError: () => toast.error(postTexts.downloadFailed.message, postTexts.downloadFailed.title),
  })
  return { start: download.mutate, pending: download.isPending ? download.variables : undefined }
}

/** @returns false if the browser doesn't support download links. */
function follow(address: string, name: string): boolean {
  const link = document.createElement('a')
  if (!('download' in link)) return false
  link.href = address
  link.download = name
  link.click()
  return true
}
