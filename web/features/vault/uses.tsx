import { paths } from '@ovation/contract/paths'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { usesQuery, type VaultUse } from '../../domain/vault/queries.ts'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { FileList } from './file-list.tsx'
import classes from './file-sheet.module.css'

const texts = vaultTexts.file.uses

/** The posts, messages, and stories with a file, newest first (VAULT-05). */
export function Uses({ fileId }: { fileId: string }) {
  const uses = useInfiniteQuery(usesQuery(fileId))
  const own = useViewer()?.username ?? ''
  return (
    <FileList title={texts.title} query={uses} rows={uses.data?.pages.flat()} none={texts.none} failed={texts.failed}>
      {(use) => (
        <li key={use.id} className={classes.use}>
          <Link to={pathOf(use, own)} className={classes.link} dir="auto">
            {titleOf(use)}
          </Link>
          <span className={classes.detail}>
            {[formatDate(use.used_at), use.price !== null && formatCents(use.price)].filter(Boolean).join(' · ')}
          </span>
        </li>
      )}
    </FileList>
  )
}

function pathOf({ post_id, mass_message_id, story_id, username }: VaultUse, own: string): string {
  if (post_id) return paths.post(post_id)
  if (story_id) return paths.stories(own, `story=${story_id}`)
  return mass_message_id ? paths.massMessages() : paths.conversation(username ?? '')
}

function titleOf({ post_id, mass_message_id, story_id, title, username, display_name }: VaultUse): string {
  if (post_id) return title || texts.post
  if (story_id) return title || texts.story
  return mass_message_id
    ? title || texts.massMessage
    : texts.message(nameOf({ username: username ?? '', display_name }))
}
