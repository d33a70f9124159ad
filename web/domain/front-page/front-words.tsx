import { Title } from '@mantine/core'
import { authTexts } from '@ovation/contract/texts/auth'
import { appConfig } from '../../lib/api/config.ts'
import classes from './front-words.module.css'

const own = authTexts.front

type Props = {
  /** The level of the headline. */
  order: 1 | 3
  headline: string | null | undefined
  message: string | null | undefined
  /** The address of the logo. */
  logo: string | null | undefined
}

/** What the front page says first: the operator's words, or the product's own (LOOP-03, FIND-06). */
export function FrontWords({ order, headline, message, logo }: Props) {
  return (
    <>
      {logo && <img className={classes.logo} src={logo} alt={appConfig().name} />}
      <Title order={order} className={classes.headline} dir="auto">
        {headline || own.title}
      </Title>
      <p className={classes.message} dir="auto">
        {message || own.message}
      </p>
    </>
  )
}
