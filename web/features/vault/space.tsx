import { Progress } from '@mantine/core'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useQuery } from '@tanstack/react-query'
import { spaceQuery } from '../../domain/vault/queries.ts'
import { formatBytes } from '../../lib/format/format-number.ts'
import classes from './vault-screen.module.css'

const texts = vaultTexts.space

/** How much space the files take, and how much remains (VAULT-07). A failure shows nothing: the vault works without it. */
export function Space() {
  const space = useQuery(spaceQuery()).data
  if (!space) return <p className={classes.space} />
  const { used_bytes: used, quota_bytes: quota } = space
  if (quota === null) return <p className={classes.space}>{texts.used(formatBytes(used))}</p>
  const percent = Math.min(100, (used / quota) * 100)
  return (
    <div className={classes.space}>
      {texts.usedOf(formatBytes(used), formatBytes(quota), formatBytes(Math.max(0, quota - used)))}
      <Progress value={percent} color={percent >= 90 ? 'red' : 'gray'} size="sm" mt={4} aria-label={texts.label} />
    </div>
  )
}
