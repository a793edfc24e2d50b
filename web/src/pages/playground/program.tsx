import { useState } from 'react'
import { CopyText } from '../../components/copy-text.tsx'
import { Select } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { programsFor } from './programs.ts'
import type { PlaygroundRequest } from './request.ts'

export function Program({ request }: { readonly request: PlaygroundRequest }) {
  const programs = Object.entries(programsFor(window.location.origin, request))
  const [language, setLanguage] = useState(programs[0]?.[0])
  return (
    <Panel title="The same in a program">
      <Select
        label="Language"
        value={language}
        onChange={({ target }) => setLanguage(target.value)}
        choices={programs.map(([each]) => [each, each])}
      />
      {programs.map(
        ([each, text]) => each === language && <CopyText key={each} text={text} label="Copy the program" />,
      )}
    </Panel>
  )
}
