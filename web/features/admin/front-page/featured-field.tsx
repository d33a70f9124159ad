import { ActionIcon, Badge, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { featuredCreatorsMax } from '@ovation/contract/limits'
import { frontPageTexts } from '@ovation/contract/texts/front-page'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { nameOf } from '../../../lib/auth/viewer.ts'
import { publicImage } from '../../../lib/media/public-image.ts'
import { LoadFailed } from '../../../ui/load-failed.tsx'
import { ProfileAvatar } from '../../../ui/profile-avatar.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { useKeptFocus } from '../../../ui/use-kept-focus.ts'
import { type Candidate, candidatesQuery, type Featured } from './featured-queries.ts'
import classes from './front-page.module.css'

const texts = frontPageTexts.creators
const typingPauseMs = 300
const shownAtOnce = 5

type Props = { creators: Featured[]; disabled: boolean; onChange: (creators: Featured[]) => void }

/** The creators whom the front page shows first: found by search, arranged by buttons (FIND-06). */
export function FeaturedField({ creators, disabled, onChange }: Props) {
  const [announced, setAnnounced] = useState('')
  const keptFocus = useKeptFocus()
  const change = (next: Featured[], words: string) => {
    if (disabled) return
    onChange(next)
    setAnnounced(words)
  }
  const move = (creator: Featured, step: 1 | -1) => {
    const to = creators.indexOf(creator) + step
    if (to < 0 || to >= creators.length) return
    const next = creators.filter((other) => other !== creator).toSpliced(to, 0, creator)
    change(next, texts.moved(nameOf(creator), to + 1, creators.length))
  }
  const isFull = creators.length >= featuredCreatorsMax
  return (
    <div className={classes.featured} {...keptFocus}>
      <p className={classes.hint}>{texts.hint}</p>
      {creators.length === 0 ? (
        <p className={classes.hint}>{texts.none}</p>
      ) : (
        <ol className={classes.rows} aria-label={texts.list}>
          {creators.map((creator, index) => (
            <Row key={creator.id} creator={creator}>
              {!creator.is_listed && (
                <Badge variant="light" color="gray">
                  {texts.hidden}
                </Badge>
              )}
              {/* Not disabled at the ends, which would lose the focus. */}
              <ActionIcon
                variant="default"
                aria-label={texts.up(nameOf(creator))}
                aria-disabled={index === 0 || disabled}
                onClick={() => move(creator, -1)}
              >
                <IconArrowUp size={18} stroke={1.6} />
              </ActionIcon>
              <ActionIcon
                variant="default"
                aria-label={texts.down(nameOf(creator))}
                aria-disabled={index === creators.length - 1 || disabled}
                onClick={() => move(creator, 1)}
              >
                <IconArrowDown size={18} stroke={1.6} />
              </ActionIcon>
              <ActionIcon
                variant="default"
                aria-label={texts.remove(nameOf(creator))}
                aria-disabled={disabled}
                onClick={() =>
                  change(
                    creators.filter((other) => other !== creator),
                    texts.removed(nameOf(creator)),
                  )
                }
              >
                <IconX size={18} stroke={1.6} />
              </ActionIcon>
            </Row>
          ))}
        </ol>
      )}
      {isFull ? (
        <p className={classes.hint}>{texts.full}</p>
      ) : (
        <Candidates
          without={creators}
          disabled={disabled}
          onAdd={(creator) =>
            change([...creators, { ...creator, is_listed: true }], texts.added(nameOf(creator), creators.length + 1))
          }
        />
      )}
      <p className="visually-hidden" aria-live="polite">
        {announced}
      </p>
    </div>
  )
}

type CandidatesProps = { without: Candidate[]; disabled: boolean; onAdd: (creator: Candidate) => void }

/** Creators in Explore: popular ones until the admin searches. */
function Candidates({ without, disabled, onAdd }: CandidatesProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), typingPauseMs)
  // As many more as are chosen already, which are left out.
  const size = shownAtOnce + featuredCreatorsMax
  const found = useQuery({ ...candidatesQuery(search, size), placeholderData: keepPreviousData })
  const chosen = new Set(without.map(({ id }) => id))
  const shown = found.data?.filter(({ id }) => !chosen.has(id)).slice(0, shownAtOnce)
  return (
    <>
      <SearchField
        label={texts.search}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        // It searches by itself, and Enter would save the page.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {found.isError && <LoadFailed order={3} title={texts.searchFailed} of={found} />}
      {found.data?.length === 0 && search !== '' && !found.isPlaceholderData && (
        <p className={classes.hint}>{texts.noneFound(search)}</p>
      )}
      {shown && shown.length > 0 && (
        <ul className={classes.rows} aria-label={texts.results}>
          {shown.map((creator) => (
            <Row key={creator.id} creator={creator}>
              <Button
                variant="default"
                size="xs"
                aria-label={texts.add(nameOf(creator))}
                disabled={disabled}
                onClick={() => {
                  onAdd(creator)
                  setTyped('')
                }}
              >
                {texts.addShort}
              </Button>
            </Row>
          ))}
        </ul>
      )}
    </>
  )
}

function Row({ creator, children }: { creator: Candidate; children: ReactNode }) {
  const name = nameOf(creator)
  return (
    <li className={classes.row}>
      <ProfileAvatar name={name} src={publicImage(creator.avatar_url, creator.updated_at)} size={36} />
      <span className={classes.person}>
        <bdi>{name}</bdi>
        <span className={classes.handle}>@{creator.username}</span>
      </span>
      {children}
    </li>
  )
}
