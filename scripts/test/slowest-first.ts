import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Runs the projects in the order of the configuration, so that no slow file runs alone at the end. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = this.ctx.projects.map(({ name }) => name)
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => order.indexOf(a.project.name) - order.indexOf(b.project.name))
  }
}
