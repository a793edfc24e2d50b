import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { useCopy } from '../../components/use-copy.ts'
import { programsFor } from './programs.ts'
import type { PlaygroundRequest } from './request.ts'

export function Program({ request }: { readonly request: PlaygroundRequest }) {
  const programs = programsFor(window.location.origin, request)
  const [language, setLanguage] = useState<keyof typeof programs>('curl')
  const { copy, said, forget } = useCopy()
  return (
    <Panel title="The same in a program">
      <Select
        label="Language"
        value={language}
        onChange={({ target }) => {
          setLanguage(target.value === 'curl' || target.value === 'Python' ? target.value : 'TypeScript')
          forget()
        }}
      >
        {Object.keys(programs).map((each) => (
          <option key={each}>{each}</option>
        ))}
      </Select>
      <pre className="rounded-md bg-raised p-3 text-sm break-all whitespace-pre-wrap select-all">
        {programs[language]}
      </pre>
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => copy(programs[language])}>Copy the program</Button>
        <span role="status">{said}</span>
      </div>
    </Panel>
  )
}
