"""The plain dice calculator: "3D6+2". Also the smallest example of a calculator (docs/add-a-calculator.md)."""
