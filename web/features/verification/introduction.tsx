import { verificationTexts } from '@ovation/contract/texts/verification'
import classes from './verification-screen.module.css'

const { title, facts } = verificationTexts.introduction

/** What the application needs, why, how long it takes, and who reads it (LOOP-08). */
export function Introduction() {
  return (
    <section aria-labelledby="application-introduction">
      <h2 id="application-introduction" className={classes.introduction}>
        {title}
      </h2>
      <dl className={classes.reasons}>
        {facts.map((fact) => (
          <div key={fact.title}>
            <dt>{fact.title}</dt>
            <dd>{fact.message}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
