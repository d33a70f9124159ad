import { paths } from '@ovation/contract/paths'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { recipientsQuery, type VaultRecipient } from '../../domain/vault/queries.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { FileList } from './file-list.tsx'
import classes from './file-sheet.module.css'

const texts = vaultTexts.file.recipients

/** The fans who were sent a file or bought it, the latest first (VAULT-05). */
export function Recipients({ fileId }: { fileId: string }) {
  const recipients = useInfiniteQuery(recipientsQuery(fileId))
  const rows = recipients.data?.pages.flat()
  return (
    <FileList title={texts.title} query={recipients} rows={rows} none={texts.none} failed={texts.failed}>
      {(fan) => {
        const name = nameOf(fan)
        return (
          <li key={fan.id} className={classes.recipient}>
            <ProfileAvatar name={name} src={publicImage(fan.avatar_url, fan.updated_at)} size={36} />
            <span className={classes.words}>
              <Link to={paths.profile(fan.username)} className={classes.link} dir="auto">
                {name}
              </Link>
              <span className={classes.detail}>{`${howOf(fan)} · ${formatDate(fan.received_at)}`}</span>
            </span>
          </li>
        )
      }}
    </FileList>
  )
}

function howOf({ post_id, price, is_bought }: VaultRecipient): string {
  if (post_id !== null) return texts.boughtPost(formatCents(price))
  if (price === 0) return texts.sent
  return (is_bought ? texts.boughtMessage : texts.locked)(formatCents(price))
}
