import { vaultTexts } from '@ovation/contract/texts/vault'
import { lazy, Suspense } from 'react'
import { PostImage } from '../../domain/posts/post-image.tsx'
import { PostVideo } from '../../domain/posts/post-video.tsx'
import { fileNameOf } from '../../domain/vault/file-name.ts'
import type { VaultFile } from '../../domain/vault/queries.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatLength } from '../../lib/format/format-length.ts'
import { formatBytes, formatCents, formatCount } from '../../lib/format/format-number.ts'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { AboutForm } from './about-form.tsx'
import classes from './file-sheet.module.css'
import { Recipients } from './recipients.tsx'
import { Uses } from './uses.tsx'

const VoicePlayer = lazy(() => import('../../ui/voice-player.tsx'))
const texts = vaultTexts.file

/** A file of the vault: what it shows, its facts, where it is used, and who has it (VAULT-05). */
export default function FileSheet({ file, onClose }: { file: VaultFile; onClose: () => void }) {
  const name = fileNameOf(file)
  // Its own: the link of the tile may not have come yet when it is opened.
  const { links, pending } = useMediaLinks([file.path], 'vault')
  const link = links.get(file.path)
  return (
    <Dialog title={name} onClose={onClose} size="lg" fullScreenOnPhone>
      <div className={classes.preview}>
        {pending ? null : file.kind === 'audio' ? (
          <Suspense>
            <VoicePlayer src={link} label={name} duration={file.duration ?? undefined} />
          </Suspense>
        ) : file.kind === 'video' ? (
          <PostVideo
            url={link}
            label={name}
            preview={{
              ...(file.preview && { preview: file.preview }),
              ...(file.duration !== null && { duration: file.duration }),
              stream: file.stream,
            }}
          />
        ) : (
          <PostImage url={link} alt={file.alt_text ?? name} place="page" eager />
        )}
      </div>
      <dl className={classes.facts}>
        {factsOf(file).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.hint}>{texts.earningsHint}</p>
      <AboutForm file={file} />
      <Uses fileId={file.id} />
      <Recipients fileId={file.id} />
    </Dialog>
  )
}

function factsOf({ size_bytes, width, height, duration, created_at, sales, earned_cents }: VaultFile) {
  const facts: [string, string | false | null][] = [
    [texts.size, formatBytes(size_bytes)],
    [texts.dimensions, width !== null && height !== null && `${width} × ${height}`],
    [texts.length, duration !== null && formatLength(duration)],
    [texts.added, formatDate(created_at)],
    [texts.sales, formatCount(sales)],
    [texts.earnings, formatCents(earned_cents)],
  ]
  return facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []))
}
