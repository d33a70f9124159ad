import { Button, Skeleton, Text } from '@mantine/core'
import { adminTexts } from '@ovation/contract/texts/admin'
import { commonTexts } from '@ovation/contract/texts/common'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { idImageQuery } from './application-queries.ts'
import classes from './details-dialog.module.css'

const texts = adminTexts.details

/** One side of the ID, through an expiring link (ADM-11..ADM-13). */
export function IdImage({ side, path }: { side: 'front' | 'back'; path: string }) {
  return (
    <figure className={classes.document}>
      <div className={classes.picture}>
        <Picture side={side} path={path} />
      </div>
      <figcaption>{texts[side]}</figcaption>
    </figure>
  )
}

function Picture({ side, path }: { side: 'front' | 'back'; path: string }) {
  const link = useQuery(idImageQuery(path))
  const [broken, setBroken] = useState(false)

  if (link.isPending) return <Skeleton height="100%" role="status" aria-label={texts.loadingImage(texts[side])} />
  if (link.isError)
    return (
      <div role="alert" className={classes.missing}>
        <Text size="sm">{texts.viewFailed[side]}</Text>
        <Button size="xs" variant="default" onClick={() => void link.refetch()} loading={link.isFetching}>
          {commonTexts.retry}
        </Button>
      </div>
    )
  if (!link.data || broken)
    return (
      <div className={classes.missing}>
        <Text size="sm">{texts.notAvailable}</Text>
      </div>
    )
  return (
    <a href={link.data} target="_blank" rel="noreferrer" aria-label={texts.open(texts[side])}>
      <img src={link.data} alt={texts[side]} onError={() => setBroken(true)} />
    </a>
  )
}
